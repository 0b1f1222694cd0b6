import type { UpstreamTemplate } from '@switchboard/upstream';

/** Template as the simulator stores it. `parameter_format` is always POSITIONAL here. */
export type StoredTemplate = UpstreamTemplate & { components: NonNullable<UpstreamTemplate['components']> };

export function seedTemplates(): StoredTemplate[] {
  return [
    {
      name: 'order_update',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Your order' },
        {
          type: 'BODY',
          text: 'Order {{1}} ships on {{2}} as planned.',
          example: { body_text: [['A-17', 'Monday']] },
        },
        { type: 'FOOTER', text: 'Switchboard Demo' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/A-17'] },
          ],
        },
      ],
      language: 'en_US',
      status: 'APPROVED',
      category: 'UTILITY',
      id: '1387372356726668',
    },
    {
      name: 'hello_world',
      parameter_format: 'POSITIONAL',
      components: [{ type: 'BODY', text: 'Welcome. This message shows that sending works.' }],
      language: 'en_US',
      status: 'APPROVED',
      category: 'UTILITY',
      id: '1387372356726669',
    },
    {
      name: 'verification_code',
      parameter_format: 'POSITIONAL',
      components: [
        {
          type: 'BODY',
          text: '*{{1}}* is your verification code. For your security, do not share this code.',
          add_security_recommendation: true,
          example: { body_text: [['123456']] },
        },
        { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
        {
          // Created as an OTP button, but listed as a URL button.
          type: 'BUTTONS',
          buttons: [
            {
              type: 'URL',
              text: 'Copy code',
              url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
              example: ['https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456'],
            },
          ],
        },
      ],
      language: 'en_US',
      status: 'APPROVED',
      category: 'AUTHENTICATION',
      id: '1387372356726670',
    },
    {
      name: 'spring_sale',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'BODY', text: 'Hello {{1}}, our spring sale starts today.', example: { body_text: [['Ana']] } },
      ],
      language: 'en_US',
      status: 'PENDING',
      category: 'MARKETING',
      id: '1387372356726671',
    },
  ];
}
