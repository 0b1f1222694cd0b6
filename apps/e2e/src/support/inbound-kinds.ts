/** Id of a message of the business. */
export const OUT = 'wamid.HBgMOTE5ODEyMzQ1Njc4FQIAERgSQUJD';

const location = {
  latitude: 37.44221496582,
  longitude: -122.16165924072,
  name: 'Cafe',
  address: '101 Forest Ave',
  url: 'https://example.com/',
};
const contacts = [
  {
    name: { first_name: 'Bo', formatted_name: 'Bo Li' },
    org: { company: 'Demo' },
    phones: [{ phone: '+1 (555) 000-3333', wa_id: '15550003333', type: 'MOBILE' }],
  },
];
const order = {
  catalog_id: '1948',
  text: 'Love these',
  product_items: [{ product_retailer_id: 'di9', quantity: 2, item_price: 30, currency: 'USD' }],
};

/** Messages of a customer, with the type-specific fields of their events. */
export const KINDS: [string, Record<string, unknown> & { type: string }, Record<string, unknown>][] = [
  ['text', { type: 'text', text: { body: 'Hello ✓' } }, { text: { body: 'Hello ✓' } }],
  [
    'a reply to a message',
    { type: 'text', text: { body: 'yes' }, context: { from: '15550783881', id: OUT } },
    { text: { body: 'yes' }, context: { messageId: OUT, from: '15550783881' } },
  ],
  [
    'a forwarded text',
    { type: 'text', text: { body: 'look' }, context: { forwarded: true } },
    { text: { body: 'look' }, context: { forwarded: true } },
  ],
  [
    'a text after an ad click',
    {
      type: 'text',
      text: { body: 'More?' },
      referral: {
        source_url: 'https://fb.me/x',
        source_id: '12',
        source_type: 'ad',
        headline: 'Chat with us',
        body: 'Our spring sale',
        media_type: 'image',
        image_url: 'https://example.com/ad.jpg',
        ctwa_clid: 'Aff-x',
        welcome_message: { text: 'Hi' },
      },
    },
    {
      text: { body: 'More?' },
      referral: {
        sourceUrl: 'https://fb.me/x',
        sourceId: '12',
        sourceType: 'ad',
        headline: 'Chat with us',
        body: 'Our spring sale',
        mediaType: 'image',
        imageUrl: 'https://example.com/ad.jpg',
        ctwaClid: 'Aff-x',
        welcomeMessage: { text: 'Hi' },
      },
    },
  ],
  [
    'a text after a click on a post with a video',
    {
      type: 'text',
      text: { body: 'More?' },
      referral: {
        source_type: 'post',
        media_type: 'video',
        video_url: 'https://example.com/post.mp4',
        thumbnail_url: 'https://example.com/post.jpg',
      },
    },
    {
      text: { body: 'More?' },
      referral: {
        sourceType: 'post',
        mediaType: 'video',
        videoUrl: 'https://example.com/post.mp4',
        thumbnailUrl: 'https://example.com/post.jpg',
      },
    },
  ],
  [
    'a text after a click on a post',
    {
      type: 'text',
      text: { body: 'Still there?' },
      referral: { source_url: 'https://fb.me/y', source_id: '13', source_type: 'post', headline: 'New in' },
    },
    {
      text: { body: 'Still there?' },
      referral: { sourceUrl: 'https://fb.me/y', sourceId: '13', sourceType: 'post', headline: 'New in' },
    },
  ],
  ['location', { type: 'location', location }, { location }],
  [
    'contact cards',
    { type: 'contacts', contacts },
    {
      contacts: [
        {
          name: { firstName: 'Bo', formattedName: 'Bo Li' },
          org: { company: 'Demo' },
          phones: [{ phone: '+1 (555) 000-3333', waId: '15550003333', type: 'MOBILE' }],
        },
      ],
    },
  ],
  [
    'button',
    { type: 'button', button: { payload: 'later', text: 'Not now' }, context: { id: OUT } },
    { button: { payload: 'later', text: 'Not now' }, context: { messageId: OUT } },
  ],
  [
    'a selected list row',
    {
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: 'row1', title: 'Express', description: '1-2 days' } },
    },
    { interactive: { type: 'list_reply', listReply: { id: 'row1', title: 'Express', description: '1-2 days' } } },
  ],
  [
    'a selected list row without a description',
    { type: 'interactive', interactive: { type: 'list_reply', list_reply: { id: 'row2', title: 'Normal' } } },
    { interactive: { type: 'list_reply', listReply: { id: 'row2', title: 'Normal' } } },
  ],
  [
    'a pressed reply button',
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'cancel', title: 'Cancel' } } },
    { interactive: { type: 'button_reply', buttonReply: { id: 'cancel', title: 'Cancel' } } },
  ],
  [
    'a submitted form',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: '{"flow_token":"x"}' },
      },
    },
    {
      interactive: {
        type: 'nfm_reply',
        nfmReply: { name: 'flow', body: 'Sent', responseJson: '{"flow_token":"x"}', response: { flow_token: 'x' } },
      },
    },
  ],
  [
    'a submitted form without a name',
    { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { response_json: '{"a":1}' } } },
    { interactive: { type: 'nfm_reply', nfmReply: { responseJson: '{"a":1}', response: { a: 1 } } } },
  ],
  [
    'a reply to a call permission request',
    {
      type: 'interactive',
      interactive: {
        type: 'call_permission_reply',
        call_permission_reply: { response: 'accept', is_permanent: false, expiration_timestamp: '1790416812' },
      },
    },
    {
      interactive: {
        type: 'call_permission_reply',
        callPermissionReply: { response: 'accept', isPermanent: false, expirationTimestamp: 1_790_416_812 },
      },
    },
  ],
  [
    'reaction',
    { type: 'reaction', reaction: { message_id: OUT, emoji: '👍' } },
    { reaction: { messageId: OUT, emoji: '👍' } },
  ],
  [
    'a removed reaction',
    { type: 'reaction', reaction: { message_id: OUT } },
    { reaction: { messageId: OUT, emoji: '' } },
  ],
  [
    'a reaction removed by an empty emoji',
    { type: 'reaction', reaction: { message_id: OUT, emoji: '' } },
    { reaction: { messageId: OUT, emoji: '' } },
  ],
  [
    'a pressed template button',
    { type: 'button', button: { payload: 'x7', text: 'Tell me more' } },
    { button: { payload: 'x7', text: 'Tell me more' } },
  ],
  [
    'order',
    { type: 'order', order },
    {
      order: {
        catalogId: '1948',
        text: 'Love these',
        productItems: [{ productRetailerId: 'di9', quantity: 2, itemPrice: 30, currency: 'USD' }],
      },
    },
  ],
  [
    'a message type that the platform does not support',
    { type: 'unsupported', unsupported: { type: 'poll_creation' } },
    {
      unsupported: { type: 'poll_creation' },
      errors: [{ code: 131051, title: 'Message type unknown', details: 'Message type is currently not supported.' }],
    },
  ],
  [
    'an unknown message type',
    { type: 'hologram', hologram: { depth: 3 } },
    { type: 'unsupported', unsupported: { type: 'hologram' } },
  ],
];
