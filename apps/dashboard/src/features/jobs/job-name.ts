/** Maximum characters of a job's name. */
export const JOB_NAME_MAX = 100;

/** Returns the name of a file without its extension, as the name of its job. */
export const nameOfFile = (file: string): string =>
  file
    .replace(/\.(xlsx|csv)$/i, '')
    .trim()
    .slice(0, JOB_NAME_MAX);
