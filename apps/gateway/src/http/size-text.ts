const KIB = 1_024;
const MIB = 1_048_576;

/** Formats a size in bytes with a unit, rounded down. */
export function sizeText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`;
  const [unit, size] = bytes < MIB ? (['KB', KIB] as const) : (['MB', MIB] as const);
  return `${Math.floor((bytes / size) * 10) / 10} ${unit}`;
}
