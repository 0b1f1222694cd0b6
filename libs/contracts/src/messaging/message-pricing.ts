import { IsBoolean, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from '../body-docs';

/** Pricing by the upstream platform, in its values; each is null if it gave none. */
@BodySchema({
  name: 'MessagePricing',
  example: () => ({ category: 'utility', billable: true, type: 'regular', model: 'PMP' }),
})
export class MessagePricing {
  @Doc(
    'What it is charged as, such as `marketing`, `utility`, `authentication` or `service`; it may differ from the category of the template',
  )
  @OrNull()
  @IsString()
  category: string | null;
  @Doc('Whether the platform charges for it') @OrNull() @IsBoolean() billable: boolean | null;
  @Doc('`regular`, or why it is free: `free_customer_service`, `free_entry_point`') @OrNull() @IsString() type:
    | string
    | null;
  @Doc('`PMP`: each message has a price') @OrNull() @IsString() model: string | null;
}
