import { messageEntities } from '@switchboard/database';
import { Attempt } from './codes/attempt.entity';
import { Code } from './codes/code.entity';
import { DayTotal } from './statistics/day-total.entity';
import { Prefix } from './sends/prefix.entity';
import { Send } from './sends/send.entity';
import { AccountSettings } from './settings/account-settings.entity';

export const entities = [...messageEntities, AccountSettings, Attempt, Code, DayTotal, Prefix, Send];
