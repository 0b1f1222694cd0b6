import {
  type AudioContent,
  type DocumentContent,
  type FlowContent,
  type InteractiveContent,
  isMediaType,
  isUserId,
  normaliseLanguage,
  replaceMediaIds,
  type TemplateCard,
  type TemplateComponent,
  type TemplateContent,
  type TemplateParameter,
} from '@switchboard/contracts';
import { snakeCaseKeys } from './snake-case';
import type {
  UpstreamMedia,
  UpstreamSendBody,
  UpstreamSendCard,
  UpstreamSendComponent,
  UpstreamTemplateParameter,
} from '@switchboard/upstream';
import { objectOf } from '../templates/template-actions';
import { componentsByPlace, mediaOf, textOf } from '../templates/template-parameters';

export interface StoredMessage {
  /** Id that is sent with the message. Upstream echoes it in every callback. */
  id: string;
  recipient: string;
  type: string;
  content: object;
  caption: string | null;
  /** Upstream id of a file that was uploaded with the message; null if the content has a link or an id. */
  mediaId: string | null;
  /** Upstream ids of the uploaded files that the content refers to, by their ids; none if absent. */
  platformIds?: ReadonlyMap<string, string>;
  /** Upstream id of the message to which this one replies. Null if it is no reply. */
  answeredId: string | null;
}

/** Types whose content differs from upstream's format only in the case of its keys. */
const RESPELT_TYPES = ['text', 'location', 'contacts', 'reaction'] as const;
const isRespeltType = (type: string): type is (typeof RESPELT_TYPES)[number] =>
  (RESPELT_TYPES as readonly string[]).includes(type);

export function toUpstreamBody(message: StoredMessage): UpstreamSendBody {
  const { id, recipient, type, caption, mediaId, answeredId } = message;
  const content = contentWith(message);
  const common = {
    ...(isUserId(recipient) ? { recipient } : { to: recipient }),
    ...(answeredId !== null && { context: { message_id: answeredId } }),
    biz_opaque_callback_data: id,
  };
  if (type === 'template') return { ...common, type, template: toUpstreamTemplate(content as TemplateContent) };
  if (type === 'interactive')
    return { ...common, type, interactive: toUpstreamInteractive(content as InteractiveContent) };
  if (isRespeltType(type)) return { ...common, type, [type]: snakeCaseKeys(content) };
  if (!isMediaType(type)) throw new Error(`messages of type ${type} cannot be sent`);
  return { ...common, type, [type]: toUpstreamMedia(content, { caption, mediaId }) };
}

/** Returns the content with the platform's ids of uploaded files. */
function contentWith({ type, content, platformIds = new Map() }: StoredMessage): object {
  return replaceMediaIds({ [type]: content }, platformIds)[type] as object;
}

function toUpstreamInteractive(content: InteractiveContent): object {
  return content.type === 'flow' ? toUpstreamFlow(content) : (snakeCaseKeys(content) as object);
}

/**
 * Adds the required message version. Does not convert names in the input of the first screen, which the flow defines.
 */
function toUpstreamFlow(content: FlowContent): object {
  const { flowActionPayload, ...parameters } = content.action.parameters;
  const flow = {
    flow_message_version: '3',
    ...(snakeCaseKeys(parameters) as object),
    ...(flowActionPayload && { flow_action_payload: flowActionPayload }),
  };
  return { ...(snakeCaseKeys(content) as object), action: { name: 'flow', parameters: flow } };
}

function toUpstreamMedia(
  content: Partial<DocumentContent & AudioContent>,
  { caption, mediaId }: { caption?: string | null; mediaId?: string | null },
): UpstreamMedia {
  const { link, id = mediaId, filename, voice } = content;
  return {
    ...(id ? { id } : { link }),
    ...(caption && { caption }),
    ...(filename && { filename }),
    ...(voice && { voice }),
  };
}

function toUpstreamTemplate(content: TemplateContent): UpstreamSendBody['template'] {
  const components = [...componentsByPlace(content).values()].map(toUpstreamComponent);
  return {
    name: content.name,
    language: { code: normaliseLanguage(content.language.code) },
    ...(components.length > 0 && { components }),
  };
}

function toUpstreamComponent(component: TemplateComponent): UpstreamSendComponent {
  const { type, sub_type: givenSubType, index, parameters = [], cards } = component;
  const subType = givenSubType?.toLowerCase();
  if (cards) return { type: type.toLowerCase(), cards: cards.map(toUpstreamCard) };
  return {
    type: type.toLowerCase(),
    ...(subType !== undefined && { sub_type: subType }),
    ...(index !== undefined && { index }),
    parameters: parameters.map((parameter) =>
      type.toLowerCase() === 'button' ? toButtonParameter(parameter, subType) : toParameter(parameter),
    ),
  };
}

function toUpstreamCard(card: TemplateCard): UpstreamSendCard {
  return { card_index: card.card_index, components: [...componentsByPlace(card).values()].map(toUpstreamComponent) };
}

/**
 * Uses a payload for a quick reply and a coupon code for a copy-code button, however the value was given. Variables of
 * buttons have no names, even if those of the text do.
 */
function toButtonParameter(parameter: TemplateParameter, subType: string | undefined): UpstreamTemplateParameter {
  const object = objectOf(parameter);
  if (object) return { type: parameter.type, [parameter.type]: object };
  const text = textOf(parameter);
  if (subType === 'quick_reply') return { type: 'payload', payload: text };
  return subType === 'copy_code' ? { type: 'coupon_code', coupon_code: text } : { type: 'text', text };
}

/** Builds a parameter of any component except buttons. */
function toParameter(parameter: TemplateParameter): UpstreamTemplateParameter {
  const object = objectOf(parameter);
  if (object) return { type: parameter.type, [parameter.type]: object };
  if (parameter.type === 'location') return toUpstreamLocation(parameter);
  const media = mediaOf(parameter);
  if (media) return { type: parameter.type, [parameter.type]: toUpstreamMedia(media, {}) };
  const { parameter_name: name } = parameter;
  return { type: 'text', ...(name !== undefined && { parameter_name: name }), text: textOf(parameter) };
}

/** The platform expects coordinates as strings. */
function toUpstreamLocation({ type, location }: TemplateParameter): UpstreamTemplateParameter {
  const { latitude, longitude, name, address } = location ?? {};
  return {
    type,
    location: {
      latitude: String(latitude),
      longitude: String(longitude),
      ...(name !== undefined && { name }),
      ...(address !== undefined && { address }),
    },
  };
}
