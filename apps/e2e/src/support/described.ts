import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { demo } from './installation';

const EVENT_SCHEMAS: Record<string, string> = {
  message: 'MessageEvent',
  message_status: 'MessageStatusEvent',
  template_status: 'TemplateStatusEvent',
  phone_number_quality: 'PhoneNumberQualityEvent',
  job_completed: 'JobCompletedEvent',
  job_paused: 'JobPausedEvent',
  job_failed: 'JobFailedEvent',
  message_edited: 'MessageEditedEvent',
  message_deleted: 'MessageDeletedEvent',
  contact_changed: 'ContactChangedEvent',
  call: 'CallEvent',
  account_notice: 'AccountNoticeEvent',
  message_held: 'MessageHeldEvent',
  message_echo: 'MessageEchoEvent',
};

/** Validates an event against the API description of the installation. @returns the problems */
export async function eventProblems(event: { event: string }): Promise<string> {
  const description = (await (await fetch(`${demo.baseUrl}/openapi.json`)).json()) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // spec §1.3.3
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addSchema({ ...description, $id: 'api' });
  return ajv.validate({ $ref: `api#/components/schemas/${EVENT_SCHEMAS[event.event] ?? 'none'}` }, event)
    ? ''
    : ajv.errorsText();
}
