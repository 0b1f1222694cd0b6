import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { propertiesOf } from './body-class';
import { Doc, IntersectionType, Nested, propertyDocsOf } from './body-docs';
import { Transform } from './body-values';
import { parseBody } from './validation';

class Size {
  @IsInt() @Min(1) height: number;
}

class Named {
  @IsString() name: string;
}

class Measured extends Named {
  @Doc('How large it is') @IsOptional() @Nested(() => Size) size?: Size;
  @Transform((value) => Number(value)) @IsInt() count: number;
}

class Owned {
  @IsString() owner: string;
}

class Parcel extends IntersectionType(Owned, Measured) {
  @IsString() id: string;
}

describe('IntersectionType', () => {
  const given = { id: 'a', owner: 'b', name: 'c', count: '2', size: { height: 1 } };

  it('inherits the properties of both classes and their parents', () => {
    const names = propertiesOf(Parcel).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['count', 'id', 'name', 'owner', 'size']);
    expect(parseBody(Parcel, given)).toEqual({ ...given, count: 2 });
  });

  it('keeps the rules, nested classes and docs of the second class', () => {
    expect(() => parseBody(Parcel, { ...given, size: { height: 0 } })).toThrow('size.height must not be less than 1');
    expect(() => parseBody(Parcel, { ...given, name: 1 })).toThrow('name must be a string');
    expect(parseBody(Parcel, given).size).toBeInstanceOf(Size);
    expect(propertyDocsOf(Parcel, 'size').schema).toEqual({ description: 'How large it is' });
  });

  it('leaves both classes unchanged', () => {
    expect(propertiesOf(Measured).map(({ name }) => name)).not.toContain('owner');
    expect(propertiesOf(Owned).map(({ name }) => name)).toEqual(['owner']);
  });
});
