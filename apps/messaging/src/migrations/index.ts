import { CreateMessaging1764500000010 } from './1764500000010-create-messaging';
import { CreateRates1795800000010 } from './1795800000010-create-rates';
import { CreateUsageDays1795800000020 } from './1795800000020-create-usage-days';

/** In execution order. */
export const migrations = [
  CreateMessaging1764500000010,
  CreateRates1795800000010,
  CreateUsageDays1795800000020,
] as const;
