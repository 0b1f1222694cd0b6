/** The six services; each owns the database schema of its name. */
export const SERVICES = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'] as const;

export type ServiceName = (typeof SERVICES)[number];
