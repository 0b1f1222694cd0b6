/** The six services; each owns the database schema of its name. */
export const SERVICES = ['gateway', 'messaging', 'templates', 'otp', 'jobs', 'webhooks'] as const;

export type ServiceName = (typeof SERVICES)[number];

/** Who logs in to the broker: each service, and the operator's commands that look after dead letters. */
export const BROKER_LOGINS = [...SERVICES, 'operator'] as const;

export type BrokerLogin = (typeof BROKER_LOGINS)[number];
