import { Equals, IsIn, IsObject, IsOptional, IsString, ValidateIf } from 'class-validator';
import { VALUE_MAX_CHARACTERS } from '@switchboard/template-rules';
import { Alias, BodySchema, Doc, Nested } from '../body-docs';
import { HasNoFault, IsInsteadOf, IsStorableJson, MaxJsonBytes } from '../validation';
import { flowDataFault, flowPayloadFault } from './interactive-faults';
import { Interactive, InteractiveBody, InteractiveHeader, IsShownText, MOST } from './interactive-parts';

/** Maximum lengths of names at the upstream platform, in UTF-16 units. */
const MOST_FLOW_ID = 64;
const MOST_FLOW_NAME = 200;
const MOST_SCREEN = 80;
/** Maximum size of the first screen's input as JSON. Leaves room for the rest of the message in a command. */
const FLOW_DATA_MAX_BYTES = 65_536;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

export class FlowStart {
  @Doc("First screen; defaults to the flow's own first screen", { example: 'BOOKING' })
  @IsOptional()
  @IsShownText(MOST_SCREEN)
  screen?: string;
  @Doc(
    `Input of the first screen, passed on unchanged; a non-empty object of at most ${FLOW_DATA_MAX_BYTES / 1_024} KB as JSON`,
    { example: { city: 'Pune' } },
  )
  @IsOptional()
  @HasNoFault(flowDataFault)
  @MaxJsonBytes(FLOW_DATA_MAX_BYTES)
  @IsStorableJson()
  @IsObject()
  data?: object;
}

export class FlowParameters {
  @Doc('ID of the flow at the upstream platform. Either `flowId` or `flowName` is required', {
    example: '1197715005513101',
  })
  @Alias('flow_id')
  @ValidateIf(({ flowId, flowName }: FlowParameters) => isAbsent(flowName) || !isAbsent(flowId))
  @IsShownText(MOST_FLOW_ID)
  flowId?: string;
  @Doc('Name of the flow; alternative to `flowId`')
  @Alias('flow_name')
  @IsOptional()
  @IsShownText(MOST_FLOW_NAME)
  @IsInsteadOf('flowId')
  flowName?: string;
  @Doc('Label of the button that opens the flow; the platform advises against emojis', { example: 'Book now' })
  @Alias('flow_cta')
  @IsShownText(MOST.flowButton)
  flowCta: string;
  @Doc('Token to return with the submitted form; defaults to `unused` at the platform', { example: 'booking-7781' })
  @Alias('flow_token')
  @IsOptional()
  @IsShownText(VALUE_MAX_CHARACTERS.flow_token)
  flowToken?: string;
  @Doc(
    '`navigate` opens a screen of the flow. `data_exchange` requests the first screen from the endpoint of the flow. Defaults to `navigate`',
  )
  @Alias('flow_action')
  @IsOptional()
  @IsIn(['navigate', 'data_exchange'])
  flowAction?: 'navigate' | 'data_exchange';
  @Doc('First screen and its input; only for the `flowAction` `navigate`')
  @Alias('flow_action_payload')
  @IsOptional()
  @HasNoFault(flowPayloadFault)
  @IsObject()
  @Nested(() => FlowStart)
  flowActionPayload?: FlowStart;
  @Doc('`draft` opens an unpublished flow for tests; defaults to `published`')
  @IsOptional()
  @IsIn(['draft', 'published'])
  mode?: 'draft' | 'published';
  @Doc('Version of the message format; defaults to `3`, the only version')
  @Alias('flow_message_version')
  @IsOptional()
  @IsString()
  @Equals('3')
  flowMessageVersion?: '3';
}

export class FlowAction {
  @Equals('flow') name: 'flow';
  @IsObject() @Nested(() => FlowParameters) parameters: FlowParameters;
}

@BodySchema({
  description:
    'Button that opens a flow, which is a form of one or more screens. The reply is a message with `nfmReply`',
})
export class FlowContent extends Interactive {
  @Equals('flow') type: 'flow';
  @IsOptional() @IsObject() @Nested(() => InteractiveHeader) header?: InteractiveHeader;
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => FlowAction) action: FlowAction;
}
