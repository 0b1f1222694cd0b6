// @ts-check
// Exports the code under test: the API's bodies, the upstream client, the callback readers and the simulator. Node
// cannot import TypeScript, so the command bundles this file, and Jest compiles it.
export {
  faultsOf,
  inboundContent,
  INBOUND_TYPES,
  PARAMETER_TYPES,
  readBody,
  SENDABLE_TYPES,
  SendMessageRequest,
  withOwnContent,
} from '../../../libs/contracts/src/index';
export {
  createMediaClient,
  createUpstreamClient,
  DEFAULT_VERSION,
  partsOfMessages,
  PLATFORM_VERSIONS,
  signCallback,
  splitCallback,
  TESTED_VERSIONS,
  UpstreamError,
  verifyCallback,
  VERSIONS_SOURCE,
} from '../../../libs/upstream/src/index';
export { isDeclined, readHistory, readProgress } from '../../../apps/messaging/src/app-data/history';
export { readAppContacts } from '../../../apps/messaging/src/app-data/app-contacts';
export { readEchoChanges, readEchoes } from '../../../apps/messaging/src/callbacks/echoes';
export { readCalls, readInbound } from '../../../apps/messaging/src/callbacks/inbound-messages';
export { readChanges } from '../../../apps/messaging/src/callbacks/message-changes';
export { readStatuses } from '../../../apps/messaging/src/callbacks/status-updates';
export { readOptOuts } from '../../../apps/messaging/src/callbacks/user-preferences';
export { readNotice } from '../../../apps/messaging/src/notices/read-notice';
export { captionOf, contentOf } from '../../../apps/messaging/src/sends/message-content';
export { toUpstreamBody } from '../../../apps/messaging/src/sends/upstream-body';
export { fitToTemplate } from '../../../apps/messaging/src/templates/template-parameters';
export { createSimulator } from '../../../apps/simulator/src/simulator';
export { toSettings } from '../../../apps/simulator/src/config';
export { MEDIA_SAMPLES } from '../../../apps/simulator/src/media/samples';
export { WEBHOOK_FIELDS } from '../../../apps/simulator/src/tokens/simulated-app';
export { statusOf } from '../../../apps/templates/src/sync/template-state';
