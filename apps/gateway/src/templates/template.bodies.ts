import {
  BodySchema,
  COMPONENTS,
  Doc,
  Either,
  IsObjectOrList,
  IsPhone,
  IsStorableText,
  ListOf,
  MaxJsonBytes,
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
  @Doc('The business account upstream; may be absent where there is only one')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MaxLength(64)
  wabaId?: string;
  @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name: string;
  @Doc('`en-US` and `en_US` are the same') @IsString() @IsStorableText() @MinLength(1) @MaxLength(20) language: string;
  @Doc(`${TEMPLATE_CATEGORIES.join(', ')}, in either case`)
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  category: string;
  @Doc(COMPONENTS) @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components: object[];
  @Doc("How long a message of it is worth delivering; 0 for the upstream platform's own")
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  ttlSeconds?: number;
}

@BodySchema({ name: 'TemplateDraftChange', example: () => ({ components: draft.components }) })
export class TemplateDraftChangeBody {
  @IsOptional() @IsString() @IsStorableText() @MinLength(1) @MaxLength(512) name?: string;
  @Doc('`en-US` and `en_US` are the same')
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  language?: string;
  @Doc(`${TEMPLATE_CATEGORIES.join(', ')}, in either case`)
  @IsOptional()
  @IsString()
  @IsStorableText()
  @MinLength(1)
  @MaxLength(20)
  category?: string;
  @Doc(COMPONENTS) @IsOptional() @IsArray() @ArrayMaxSize(20) @IsObject({ each: true }) components?: object[];
  @Doc("How long a message of it is worth delivering; 0 for the upstream platform's own")
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
  @Doc('The phone that gets it') @IsString() @IsPhone() to: string;
  @Doc("One of the account's numbers; its primary number when absent", { example: '15550783881' })
  @IsOptional()
  @IsString()
  @IsPhone()
  from?: string;
  @Doc("What fills the template's variables, as in a send")
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
