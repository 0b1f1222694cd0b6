import {
  BodySchema,
  COMPONENTS,
  Doc,
  Either,
  IsObjectOrList,
  IsPhone,
  IsRecipient,
  IsStorableText,
  ListOf,
  MaxJsonBytes,
  RECIPIENT_SCHEMA,
  TEMPLATE_CATEGORIES,
  TEMPLATE_VALUES_MAX_BYTES,
  TEMPLATE_VARIABLES_DOC,
  TEMPLATE_VARIABLES_SCHEMAS,
  TemplateComponent,
  templateSamples,
  type TemplateValues,
} from '@switchboard/contracts';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

const { draft } = templateSamples;

@BodySchema({
  name: 'NewTemplateDraft',
  example: () => ({
    name: draft.name,
    language: draft.language,
    category: draft.category,
    components: draft.components,
  }),
})
export class NewTemplateDraftBody {
  @Doc('Business account at the upstream platform; optional if there is only one')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(64)
  wabaId?: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  @Doc('Language; `en-US` and `en_US` are equivalent')
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  language: string;
  @Doc(`${TEMPLATE_CATEGORIES.join(', ')}; case-insensitive`)
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  category: string;
  @Doc(COMPONENTS) @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components: object[];
  @Doc('Time to live of its messages, in seconds; 0 for the default of the upstream platform')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  ttlSeconds?: number;
}

@BodySchema({ name: 'TemplateDraftChange', example: () => ({ components: draft.components }) })
export class TemplateDraftChangeBody {
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name?: string;
  @Doc('Language; `en-US` and `en_US` are equivalent')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  language?: string;
  @Doc(`${TEMPLATE_CATEGORIES.join(', ')}; case-insensitive`)
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  category?: string;
  @Doc(COMPONENTS) @IsOptional() @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components?: object[];
  @Doc('Time to live of its messages, in seconds; 0 for the default of the upstream platform')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  ttlSeconds?: number;
}

@BodySchema({
  name: 'TestSend',
  example: () => ({
    to: '919812345678',
    components: [{ type: 'body', parameters: [{ type: 'text', text: 'A-17' }] }],
  }),
})
export class TestSendBody {
  @Doc('The recipient', RECIPIENT_SCHEMA) @IsString() @IsRecipient() to: string;
  @Doc("One of the account's numbers; defaults to its primary number", { example: '15550783881' })
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
  @Doc("Values of the template's variables, as in a send")
  @IsOptional()
  @ArrayMaxSize(50)
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @ListOf(() => TemplateComponent)
  components?: TemplateComponent[];
  @Doc(TEMPLATE_VARIABLES_DOC)
  @IsOptional()
  @IsObjectOrList()
  @MaxJsonBytes(TEMPLATE_VALUES_MAX_BYTES)
  @Either(...TEMPLATE_VARIABLES_SCHEMAS)
  variables?: TemplateValues;
}
