import { Equals, IsObject } from 'class-validator';
import { BodySchema, Nested } from '../body-docs';
import { InteractiveBody, IsUnsupported } from './interactive-parts';

/** Request with a body text, but without a header or footer. */
class Request {
  @IsUnsupported() header?: unknown;
  @IsUnsupported() footer?: unknown;
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
}

export class RequestContactAction {
  @Equals('request_contact_info') name: 'request_contact_info';
}

export class RequestLocationAction {
  @Equals('send_location') name: 'send_location';
}

export class RequestCallAction {
  @Equals('call_permission_request') name: 'call_permission_request';
}

@BodySchema({
  description:
    'Button with which the contact shares their phone number; the platform provides the label. The reply is a message of type `contacts` with `origin` `contact_request`',
})
export class RequestContactContent {
  @Equals('request_contact_info') type: 'request_contact_info';
  @IsObject() @Nested(() => InteractiveBody) body: InteractiveBody;
  @IsObject() @Nested(() => RequestContactAction) action: RequestContactAction;
}

@BodySchema({
  description:
    'Button with which the contact shares a location; the platform provides the label. The reply is a message of type `location`',
})
export class RequestLocationContent extends Request {
  @Equals('location_request_message') type: 'location_request_message';
  @IsObject() @Nested(() => RequestLocationAction) action: RequestLocationAction;
}

@BodySchema({
  description:
    'Request for permission to call the contact; the platform provides the buttons. The reply is a message with `callPermissionReply`',
})
export class RequestCallContent extends Request {
  @Equals('call_permission_request') type: 'call_permission_request';
  @IsObject() @Nested(() => RequestCallAction) action: RequestCallAction;
}
