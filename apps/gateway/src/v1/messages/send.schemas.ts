import {
  CAPTION_MAX_CHARACTERS,
  type ErrorCode,
  MEDIA_TYPES,
  sendMessageV1,
  TEXT_MAX_CHARACTERS,
} from '@switchboard/contracts';
import { list, object, oneOfTexts, phone, ref, type Schema, success, text } from '../../openapi/schema';

/** What a send can be refused with, besides what every call and every body can. */
export const SEND_ERRORS = [
  ...([
    'MISSING_FIELD',
    'INVALID_PARAMETER',
    'INVALID_VALUE',
    'INVALID_PHONE',
    'TEXT_TOO_LONG',
    'INVALID_LINK',
  ] as const),
  ...([
    'TEMPLATE_NOT_FOUND',
    'TEMPLATE_NOT_APPROVED',
    'TEMPLATE_PARAMS_MISMATCH',
    'WINDOW_CLOSED',
    'CAPTION_NOT_ALLOWED',
  ] as const),
  ...(['UNSUPPORTED_MEDIA', 'FILE_INVALID', 'FEATURE_NOT_IN_PLAN', 'RECIPIENT_OPTED_OUT', 'NUMBER_STOPPED'] as const),
  ...(['UPSTREAM_THROTTLED', 'UPSTREAM_ERROR', 'UPSTREAM_TIMEOUT'] as const),
] satisfies ErrorCode[];

const link = text('A public https address; fetched by the upstream platform', {
  format: 'uri',
  maxLength: 2048,
  example: 'https://example.com/receipt.pdf',
});
/** JSON Schema counts otherwise, so its bound alone would tell too little. */
const COUNTED = 'counted in UTF-16 units: an emoji counts as two or more';
const caption = text(`At most ${CAPTION_MAX_CHARACTERS} characters, ${COUNTED}`, { maxLength: CAPTION_MAX_CHARACTERS });
const nestedCaption = { caption: { ...caption, description: 'Or at the top level' } };
const filename = text('What the recipient sees', { minLength: 1, maxLength: 240 });
const document = object({ link, filename }, { optional: ['filename'] });
/** The number that sends. */
export const from = {
  ...phone,
  description: "One of the account's numbers; its primary number when absent",
  example: '15550783881',
};
export const clientRef = text('Your own reference; comes back in records and events', {
  maxLength: 128,
  example: 'order-7781',
});

/** What each type sends: its content stands under the type's name. */
const CONTENTS: Record<string, { content: Schema; withCaption?: boolean }> = {
  text: {
    content: object({
      body: text(`Not only white space; ${COUNTED}`, {
        minLength: 1,
        maxLength: TEXT_MAX_CHARACTERS,
        example: 'Your order has shipped',
      }),
    }),
  },
  template: { content: ref('TemplateContent') },
  image: { content: object({ link, ...nestedCaption }, { optional: ['caption'] }), withCaption: true },
  document: {
    content: object({ link, filename, ...nestedCaption }, { optional: ['filename', 'caption'] }),
    withCaption: true,
  },
  video: { content: object({ link, ...nestedCaption }, { optional: ['caption'] }), withCaption: true },
  audio: { content: object({ link }) },
};

/** A request that is one of several, told apart by its type. */
interface RequestPerType {
  /** Begins the names of the schemas: `Send` gives `SendText`. */
  prefix: string;
  /** Whom it is for. */
  to: Record<string, Schema>;
  /** What may stand beside the content. */
  options: Record<string, Schema>;
  example: unknown;
}

/** @returns the schema that holds any of them under `name`, and one per type */
export function requestPerType<Name extends string>(
  name: Name,
  { prefix, to, options, example }: RequestPerType,
): Record<Name, Schema> {
  const schemaOf = (type: string): string => `${prefix}${type.charAt(0).toUpperCase()}${type.slice(1)}`;
  const perType = Object.entries(CONTENTS).map(([type, { content, withCaption }]) => {
    const properties = {
      ...to,
      type: text(undefined, { const: type }),
      [type]: content,
      ...(withCaption && { caption }),
      ...options,
    };
    return [schemaOf(type), object(properties, { optional: ['caption', ...Object.keys(options)] })] as const;
  });
  const mapping = Object.fromEntries(
    Object.keys(CONTENTS).map((type) => [type, `#/components/schemas/${schemaOf(type)}`]),
  );
  const any: Schema = {
    oneOf: perType.map(([schema]) => ref(schema)),
    discriminator: { propertyName: 'type', mapping },
    example,
  };
  return { [name]: any, ...Object.fromEntries(perType) } as Record<Name, Schema>;
}

const variable = {
  parameter_name: text('The variable in a template with named ones; in the order of the template when absent', {
    maxLength: 64,
  }),
};
/** A value that fills a variable: it stands under the name of its type. */
function parameterOf(type: string, value: Schema, where: string): Schema {
  return object(
    { type: text(undefined, { const: type }), [type]: value, ...variable },
    { optional: ['parameter_name'], description: where },
  );
}
const parameter: Schema = {
  oneOf: [
    parameterOf('text', text(undefined, { maxLength: 1024, example: 'A-17' }), 'Headers, bodies and url buttons'),
    parameterOf('payload', text(undefined, { maxLength: 256 }), 'quick_reply buttons'),
    parameterOf('coupon_code', text(undefined, { maxLength: 256 }), 'copy_code buttons'),
    parameterOf('image', object({ link }), 'Headers'),
    parameterOf('document', document, 'Headers'),
    parameterOf('video', object({ link }), 'Headers'),
  ],
};
const component = object(
  {
    type: oneOfTexts(['header', 'body', 'button', 'HEADER', 'BODY', 'BUTTON'], 'In either case'),
    sub_type: oneOfTexts(['url', 'quick_reply', 'copy_code'], 'Buttons only'),
    index: text('Buttons only: the position among the buttons', { pattern: '^[0-9]{1,3}$', example: '0' }),
    parameters: { ...list(parameter), maxItems: 100 },
  },
  { optional: ['sub_type', 'index', 'parameters'] },
);

export const sendSchemas = {
  ...requestPerType('SendMessageRequest', {
    prefix: 'Send',
    to: { to: phone },
    options: { from, clientRef },
    example: sendMessageV1.sample.request.message,
  }),
  SendUpload: object(
    {
      to: phone,
      type: oneOfTexts(MEDIA_TYPES),
      caption,
      file: text(
        'image: jpeg, png, at most 5 MB; audio: aac, amr, mpeg, mp4, ogg (opus), 16 MB; video: mp4, 3gpp, 16 MB; document: pdf, txt, csv, doc, docx, xls, xlsx, ppt, pptx, 100 MB',
        {
          contentMediaType: 'application/octet-stream',
          format: 'binary',
        },
      ),
      from,
      clientRef,
    },
    { optional: ['caption', 'from', 'clientRef'] },
  ),
  TemplateComponent: component,
  TemplateContent: object(
    {
      name: text(undefined, { maxLength: 512, example: 'order_update' }),
      language: object({ code: text(undefined, { maxLength: 20, example: 'en_US' }) }),
      components: { ...list(ref('TemplateComponent')), maxItems: 50, description: 'At most 96 KB as JSON' },
    },
    { optional: ['components'] },
  ),
  SendMessageResponse: object(
    {
      success,
      message_id: text("The upstream platform's identifier; the messageId of events"),
      status: text(undefined, { const: 'accepted' }),
      id: text('Ours'),
    },
    {
      example: {
        success: true,
        message_id: sendMessageV1.sample.response.upstreamId,
        status: 'accepted',
        id: sendMessageV1.sample.response.id,
      },
    },
  ),
} satisfies Record<string, Schema>;
