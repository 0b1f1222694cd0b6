import type { RequestExamples } from '../openapi/operations';

const ASHA = '919812345678';
/** Upstream id of an inbound message. */
const WAMID = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhgUM0E';
const ORDER_UPDATE = { name: 'order_update', language: { code: 'en_US' } };

/**
 * Example requests by operation and content type. The reference page and imported collections show them, and a test
 * sends each one.
 */
export const REQUEST_EXAMPLES: Readonly<Record<string, RequestExamples>> = {
  sendMessage: {
    'application/json': {
      text: {
        summary: 'Text',
        value: { to: ASHA, type: 'text', text: { body: 'It ships today.' }, clientRef: 'order-7781' },
      },
      answer: {
        summary: 'Text as a reply to a message',
        value: { to: ASHA, type: 'text', text: { body: 'Yes, until six.' }, context: { messageId: WAMID } },
      },
      template: {
        summary: 'Template with variables by name',
        value: {
          to: ASHA,
          type: 'template',
          template: { ...ORDER_UPDATE, variables: { '1': 'A-17', '2': 'Monday', 'button 1': 'track/A-17' } },
        },
      },
      components: {
        summary: "Template in the platform's format, with a body and a button",
        value: {
          to: ASHA,
          type: 'template',
          template: {
            ...ORDER_UPDATE,
            components: [
              {
                type: 'body',
                parameters: [
                  { type: 'text', text: 'A-17' },
                  { type: 'text', text: 'Monday' },
                ],
              },
              { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'track/A-17' }] },
            ],
          },
        },
      },
      image: {
        summary: 'Image by link',
        value: { to: ASHA, type: 'image', image: { link: 'https://example.com/parcel.jpg' }, caption: 'Your parcel' },
      },
      document: {
        summary: 'Document by link',
        value: {
          to: ASHA,
          type: 'document',
          document: { link: 'https://example.com/invoice.pdf', filename: 'invoice.pdf' },
          caption: 'Your invoice',
        },
      },
      buttons: {
        summary: 'Question with reply buttons',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'button',
            body: { text: 'When shall we deliver?' },
            action: {
              buttons: [
                { type: 'reply', reply: { id: 'today', title: 'Today' } },
                { type: 'reply', reply: { id: 'tomorrow', title: 'Tomorrow' } },
              ],
            },
          },
        },
      },
      list: {
        summary: 'List of choices',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'list',
            body: { text: 'Which way?' },
            action: {
              button: 'Choose',
              sections: [{ rows: [{ id: 'express', title: 'Express', description: '1-2 days' }] }],
            },
          },
        },
      },
      link: {
        summary: 'Button that opens a page',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'cta_url',
            body: { text: 'Your parcel is on its way.' },
            action: {
              name: 'cta_url',
              parameters: { displayText: 'Track it', url: 'https://example.com/track/A-17' },
            },
          },
        },
      },
      askForNumber: {
        summary: 'Request for a phone number; `to` may be the user id of a contact whose number is hidden',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'request_contact_info',
            body: { text: 'May we call you about your order?' },
            action: { name: 'request_contact_info' },
          },
        },
      },
      flow: {
        summary: 'Button that opens a flow',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'flow',
            body: { text: 'Book your visit' },
            action: {
              name: 'flow',
              parameters: {
                flowId: '1197715005513101',
                flowCta: 'Book now',
                flowToken: 'booking-7781',
                flowAction: 'navigate',
                flowActionPayload: { screen: 'BOOKING', data: { city: 'Pune' } },
              },
            },
          },
        },
      },
      askForLocation: {
        summary: 'Request for a location',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'location_request_message',
            body: { text: 'Where shall we deliver?' },
            action: { name: 'send_location' },
          },
        },
      },
      askForCalls: {
        summary: 'Request for permission to call',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'call_permission_request',
            body: { text: 'May we call you about your order?' },
            action: { name: 'call_permission_request' },
          },
        },
      },
      product: {
        summary: 'Product from the catalog',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'product',
            body: { text: 'Back in stock' },
            action: { catalogId: '194836987003835', productRetailerId: 'SKU-17' },
          },
        },
      },
      products: {
        summary: 'List of products',
        value: {
          to: ASHA,
          type: 'interactive',
          interactive: {
            type: 'product_list',
            header: { type: 'text', text: 'New' },
            body: { text: 'Fresh today' },
            action: {
              catalogId: '194836987003835',
              sections: [{ title: 'Fruit', productItems: [{ productRetailerId: 'SKU-17' }] }],
            },
          },
        },
      },
      contacts: {
        summary: 'Contact card',
        value: {
          to: ASHA,
          type: 'contacts',
          contacts: [
            {
              name: { formattedName: 'Ravi Kumar', firstName: 'Ravi', lastName: 'Kumar' },
              phones: [{ phone: '+919812345679', type: 'WORK' }],
            },
          ],
        },
      },
      sticker: {
        summary: 'Sticker by link',
        value: { to: ASHA, type: 'sticker', sticker: { link: 'https://example.com/thanks.webp' } },
      },
      location: {
        summary: 'Location',
        value: {
          to: ASHA,
          type: 'location',
          location: { latitude: 12.9716, longitude: 77.5946, name: 'Our shop', address: 'MG Road, Bengaluru' },
        },
      },
      reaction: {
        summary: 'Reaction to a message',
        value: { to: ASHA, type: 'reaction', reaction: { messageId: WAMID, emoji: '👍' } },
      },
    },
    'multipart/form-data': {
      upload: {
        summary: 'Document by upload',
        value: { to: ASHA, type: 'document', caption: 'Your invoice', file: 'invoice.pdf' },
      },
    },
  },
  sendOtp: {
    'application/json': {
      code: { summary: 'Code valid for ten minutes', value: { to: ASHA, otp: '482913', expiryMinutes: 10 } },
    },
  },
  verifyOtp: {
    'application/json': { code: { summary: 'Code entered by the customer', value: { phone: ASHA, otp: '482913' } } },
  },
  sendBulk: {
    'application/json': {
      template: {
        summary: 'Template with values for each recipient',
        value: {
          type: 'template',
          template: ORDER_UPDATE,
          recipients: [
            { to: ASHA, variables: { '1': 'A-17', '2': 'Monday', 'button 1': 'track/A-17' }, clientRef: 'order-17' },
            { to: '919812345679', variables: { '1': 'A-18', '2': 'Tuesday', 'button 1': 'track/A-18' } },
          ],
        },
      },
      held: {
        summary: 'One message to all recipients, in a named job that is held until it is resumed',
        value: {
          name: 'Welcome messages, March',
          type: 'template',
          template: { name: 'hello_world', language: { code: 'en_US' } },
          recipients: [ASHA, '919812345679'],
          hold: true,
        },
      },
      dryRun: {
        summary: 'Price estimate without creating a job',
        value: {
          type: 'template',
          template: { name: 'hello_world', language: { code: 'en_US' } },
          recipients: [ASHA, '919812345679'],
          dryRun: true,
        },
      },
    },
  },
  updateContact: {
    'application/json': {
      labels: { summary: 'Replace the labels', value: { labels: ['VIP', 'New order'] } },
      none: { summary: 'Remove all labels', value: { labels: [] } },
    },
  },
  uploadMedia: {
    'multipart/form-data': {
      file: { summary: 'A picture', value: { file: 'summer-sale.jpg' } },
    },
  },
  resumeJob: {
    'application/json': {
      maxSpend: {
        summary: 'Higher spend cap for the job',
        value: { maxSpend: { amount: '750.00', currency: 'USD' } },
      },
    },
  },
  sendBulkExcel: {
    'multipart/form-data': {
      sheet: {
        summary: 'Spreadsheet',
        value: {
          customerExcel: 'customers.xlsx',
          templateName: 'order_update',
          language: 'en_US',
          name: 'Order updates, Monday',
        },
      },
    },
  },
};
