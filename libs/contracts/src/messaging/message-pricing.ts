import { IsBoolean, IsString } from 'class-validator';
import { BodySchema, Doc, OrNull } from '../body-docs';

/** Pricing reported by the upstream platform, in upstream values. A field is null if the platform did not report it. */
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
  @Doc('Pricing model; `PMP` is per-message pricing') @OrNull() @IsString() model: string | null;
}
