import { CreateMessaging1764500000010 } from './1764500000010-create-messaging';

/** In execution order. */
export const migrations = [CreateMessaging1764500000010] as const;
