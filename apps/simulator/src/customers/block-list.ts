/** The platform's limit per business number. */
const MAX_BLOCKED = 64_000;

/** Blocked users per business number, in blocking order. */
export class BlockList {
  private readonly blocked = new Map<string, Set<string>>();

  /** @returns false when the list of the number is full */
  block(phoneNumberId: string, waId: string): boolean {
    const list = this.blocked.get(phoneNumberId) ?? new Set<string>();
    if (list.size >= MAX_BLOCKED && !list.has(waId)) return false;
    this.blocked.set(phoneNumberId, list.add(waId));
    return true;
  }

  unblock(phoneNumberId: string, waId: string): void {
    this.blocked.get(phoneNumberId)?.delete(waId);
  }

  has(phoneNumberId: string, waId: string): boolean {
    return this.blocked.get(phoneNumberId)?.has(waId) ?? false;
  }

  of(phoneNumberId: string): string[] {
    return [...(this.blocked.get(phoneNumberId) ?? [])];
  }

  reset(): void {
    this.blocked.clear();
  }
}
