import { messageEntities } from '@switchboard/database';
import { HeaderSample } from './header-samples/header-sample.entity';
import { TemplateSample } from './header-samples/template-sample.entity';
import { TemplateDraft } from './drafts/template-draft.entity';
import { TemplateEvent } from './sync/template-event.entity';
import { UpstreamAccount } from './sync/upstream-account.entity';
import { Template } from './templates/template.entity';

export const entities = [
  ...messageEntities,
  HeaderSample,
  Template,
  TemplateDraft,
  TemplateEvent,
  TemplateSample,
  UpstreamAccount,
];
