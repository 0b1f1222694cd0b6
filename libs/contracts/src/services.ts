/** The six services; each owns the database schema of the same name. */
export const SERVICES = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Broker logins: one per service, and one for the operator commands that handle dead letters. */
export const BROKER_LOGINS = [...SERVICES, 'operator'] as const;

export type BrokerLogin = (typeof BROKER_LOGINS)[number];
