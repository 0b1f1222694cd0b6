import { CreateMessaging1764500000010 } from './1764500000010-create-messaging';
import { CreateMediaFiles1764500000020 } from './1764500000020-create-media-files';

/** In execution order. */
export const migrations = [CreateMessaging1764500000010, CreateMediaFiles1764500000020] as const;
