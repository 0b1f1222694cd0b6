import {
  AddedLater,
  Answer,
  BodySchema,
  Doc,
  Either,
  Hidden,
  IsTime,
  ListOf,
  Nested,
  OrNull,
  pascalCase,
  SendMessageRequest,
  UPSTREAM_MESSAGE_ID,
} from '@switchboard/contracts';
import { IsArray, IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, ValidateBy } from 'class-validator';
import { SchemaRegistry } from './schema-registry';

class Part {
  @IsIn(['a', 'b']) kind: string;
}

@Answer({ description: 'An answer', example: () => ({ success: true, name: 'x' }) })
class Shown {
  @Doc('What it is called', { example: 'x' }) @IsString() @Matches(/^[a-z]+$/) name: string;
  @IsOptional() @IsInt() @Max(7) count?: number;
  @OrNull() @IsTime() endedAt: string | null;
  @OrNull() @Nested(() => Part) part: Part | null;
  @OrNull() @IsIn(['red', 'green']) colour: string | null;
  @AddedLater() @ListOf(() => Part) parts?: Part[];
  @IsArray() @IsString({ each: true }) names: string[];
  @Either({ type: 'integer' }, Part) either: number | Part;
  @Hidden() @IsOptional() secret?: unknown;
}

@BodySchema({ kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}Thing` } })
class Thing {
  @IsIn(['big_text', 'part']) type: string;
  @IsOptional() @IsString() big_text?: string;
  @IsOptional() @Nested(() => Part) part?: Part;
  @IsOptional() @IsString() note?: string;
}

@BodySchema({ kinds: { by: 'type', nameOf: (type) => `${pascalCase(type)}Gift`, mayLack: ['part'] } })
class Gift {
  @IsIn(['note', 'part']) type: string;
  @IsOptional() @IsString() note?: string;
  @IsOptional() @Nested(() => Part) part?: Part;
}

class Limited {
  @Doc(undefined, { enum: ['url', 'flow'] }) @IsString() @MaxLength(20) @Matches(/^[a-z]+$/) listed: string;
  @Doc('The old name', { deprecated: true })
  @OrNull()
  @IsString()
  @Either(UPSTREAM_MESSAGE_ID)
  messageId: string | null;
}

const PART = { $ref: '#/components/schemas/Part' };

describe('body class schema', () => {
  const registry = new SchemaRegistry({ warnings: { type: 'array' } });

  it('omits the length limits of an enum', () => {
    registry.refTo(Limited);
    expect(registry.schemas['Limited']?.properties?.['listed']).toEqual({ type: 'string', enum: ['url', 'flow'] });
  });

  it('adds a named schema as a component and refers to it', () => {
    registry.refTo(Limited);
    expect(registry.schemas['Limited']?.properties?.['messageId']).toEqual({
      anyOf: [UPSTREAM_MESSAGE_ID, { type: 'null' }],
      description: 'The old name',
      deprecated: true,
    });
    expect(registry.schemas['UpstreamMessageId']).toMatchObject({ type: 'string' });
  });

  it('requires the content object of a type unless it is optional', () => {
    registry.refTo(Gift);
    expect(registry.schemas['NoteGift']?.required).toEqual(['type', 'note']);
    expect(registry.schemas['PartGift']?.required).toEqual(['type']);
  });

  it('includes the rules and docs of properties', () => {
    expect(registry.refTo(Shown)).toEqual({ $ref: '#/components/schemas/Shown' });
    expect(registry.schemas['Shown']).toEqual({
      type: 'object',
      description: 'An answer',
      example: { success: true, name: 'x' },
      properties: {
        success: { type: 'boolean', const: true },
        name: { type: 'string', pattern: '^[a-z]+$', description: 'What it is called', example: 'x' },
        count: { type: 'integer', maximum: 7 },
        endedAt: { type: ['string', 'null'], format: 'date-time', example: '2026-03-02T10:15:00.000Z' },
        part: { anyOf: [PART, { type: 'null' }] },
        colour: { anyOf: [{ type: 'string', enum: ['red', 'green'] }, { type: 'null' }] },
        parts: { type: 'array', items: PART },
        names: { type: 'array', items: { type: 'string' } },
        either: { oneOf: [{ type: 'integer' }, PART] },
        warnings: { type: 'array' },
      },
      required: ['success', 'name', 'endedAt', 'part', 'colour', 'parts', 'names', 'either'],
    });
    expect(registry.schemas['Part']).toMatchObject({ type: 'object', required: ['kind'] });
  });

  it('has one schema per kind of a class', () => {
    registry.refTo(Thing);
    expect(registry.schemas['Thing']).toEqual({
      oneOf: [{ $ref: '#/components/schemas/BigTextThing' }, { $ref: '#/components/schemas/PartThing' }],
      discriminator: {
        propertyName: 'type',
        mapping: { big_text: '#/components/schemas/BigTextThing', part: '#/components/schemas/PartThing' },
      },
    });
    expect(registry.schemas['PartThing']).toEqual({
      title: 'part',
      type: 'object',
      properties: { type: { type: 'string', const: 'part' }, part: PART, note: { type: 'string' } },
      required: ['type', 'part'],
    });
  });

  it('has a caption only for kinds that allow one', () => {
    registry.refTo(SendMessageRequest);
    expect(registry.schemas['SendImage']?.properties).toHaveProperty('caption');
    expect(registry.schemas['SendText']?.properties).not.toHaveProperty('caption');
    expect(registry.schemas['SendAudio']?.properties).not.toHaveProperty('caption');
  });

  it('throws for duplicate class names and unknown rules', () => {
    const { Part: Other } = { Part: class Part {} };
    expect(() => registry.refTo(Other)).toThrow('two body classes are described as Part');
    class Odd {
      @ValidateBy({ name: 'isOdd', validator: { validate: () => true } }) odd: number;
    }
    expect(() => registry.refTo(Odd)).toThrow('the description does not know the rule isOdd');
  });

  it('throws for properties and list elements without a type', () => {
    class WithoutList {
      @IsOptional() @IsString({ each: true }) tags?: string[];
    }
    class WithoutElements {
      @IsArray() @MaxLength(64, { each: true }) tags: string[];
    }
    expect(() => registry.refTo(WithoutList)).toThrow('WithoutList.tags has no type');
    expect(() => registry.refTo(WithoutElements)).toThrow('WithoutElements.tags has no type');
  });
});
