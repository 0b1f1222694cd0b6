import { object, phone, type Schema, text } from '../../openapi/schema';

export const excelSchemas = {
  SendBulkExcelUpload: object(
    {
      customerExcel: text('An .xlsx file of at most 10 MB, with as many rows as the plan allows', {
        contentMediaType: 'application/octet-stream',
        format: 'binary',
      }),
      templateName: text(undefined, { maxLength: 512, example: 'order_update' }),
      language: text("The template's language", { maxLength: 20, example: 'en_US' }),
      from: {
        ...phone,
        description: "One of the account's numbers; its primary number when absent",
        example: '15550783881',
      },
      scheduledAt: text('When to begin, at most 35 days ahead; at once when absent', {
        format: 'date-time',
        example: '2026-03-02T10:15:00.000Z',
      }),
      expireAt: text(
        'The job expires then: recipients that it has not reached fail. A time in the future, after `scheduledAt`, at most 70 days ahead; without it the job does not expire. The time that a job is paused does not count',
        { format: 'date-time', example: '2026-03-03T10:15:00.000Z' },
      ),
    },
    // Every .xlsx file begins with these bytes.
    {
      optional: ['from', 'scheduledAt', 'expireAt'],
      example: { customerExcel: 'PK\u0003\u0004', templateName: 'order_update', language: 'en_US' },
    },
  ),
} satisfies Record<string, Schema>;
