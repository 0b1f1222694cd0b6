import { IsString } from 'class-validator';
import { command } from './message-contract';
import type { ServiceName } from './services';

export class GetUpstreamVersionCommand {}

export class GetUpstreamVersionReply {
  /** API version of the upstream platform, such as `v24.0`. */
  @IsString() version: string;
}

const getUpstreamVersion = (owner: ServiceName) =>
  command({
    name: `${owner}.get-upstream-version.v1`,
    owner,
    changes: false,
    description: 'Returns the API version with which the service calls the upstream platform.',
    request: GetUpstreamVersionCommand,
    response: GetUpstreamVersionReply,
    timeoutMs: 5_000,
    sample: { request: {}, response: { version: 'v24.0' } },
  });

export const messagingGetUpstreamVersionV1 = getUpstreamVersion('messaging');
export const templatesGetUpstreamVersionV1 = getUpstreamVersion('templates');
