import { IsBoolean, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from '../body-docs';

/** Pricing by the upstream platform, in its values; each is null if it gave none. */
@BodySchema({
  name: 'MessagePricing',
  example: () => ({ category: 'utility', billable: true, type: 'regular', model: 'PMP' }),
})
export class MessagePricing {
  @Doc(
    'Pricing category, such as `marketing`, `utility`, `authentication` or `service`; may differ from the category of the template',
  )
  @OrNull()
  @IsString()
  category: string | null;
  @Doc('Whether the platform charges for the message') @OrNull() @IsBoolean() billable: boolean | null;
  @Doc('`regular`, or the reason why the message is free: `free_customer_service`, `free_entry_point`')
  @OrNull()
  @IsString()
  type: string | null;
  @Doc('`PMP`: per-message pricing') @OrNull() @IsString() model: string | null;
}
