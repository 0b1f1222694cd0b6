/** The six services; each owns the database schema of the same name. */
export const SERVICES = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Logins of the broker: each service, and the operator commands for dead letters. */
export const BROKER_LOGINS = [...SERVICES, 'operator'] as const;

export type BrokerLogin = (typeof BROKER_LOGINS)[number];
