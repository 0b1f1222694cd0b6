import { Answer, BodySchema, Doc, IsNotBlank, IsPlainName, IsStorableText } from '@switchboard/contracts';
import { IsString, MaxLength, MinLength } from 'class-validator';

/** Empty response of a success. */
@Answer()
export class Done {}

const CODE = 'Code of the authenticator app, or a recovery code';
const CODE_EXAMPLE = { example: '492 039' };

@BodySchema({ name: 'SignIn', example: () => ({ email: 'asha@example.com', password: 'correct horse battery' }) })
export class SignInBody {
  @IsString() @MaxLength(255) email: string;
  @IsString() @MaxLength(1_024) password: string;
}

@BodySchema({
  name: 'PasswordChange',
  example: () => ({ currentPassword: 'correct horse battery', newPassword: 'another horse battery' }),
})
export class PasswordBody {
  @IsString() @MaxLength(1_024) currentPassword: string;
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) newPassword: string;
}

const LINK_TOKEN = { example: 'k4Xw0f6Zc3R1m9vQ2sT7yB8nLpUeJdHaGiOxKzVt5Wr' };

@BodySchema({ name: 'LinkToken', example: () => ({ token: LINK_TOKEN.example }) })
export class LinkTokenBody {
  @Doc('Token after the `#` of the link', LINK_TOKEN) @IsString() @MaxLength(64) token: string;
}

@BodySchema({
  name: 'InvitationAcceptance',
  example: () => ({ token: LINK_TOKEN.example, name: 'Ravi', password: 'another horse battery' }),
})
export class AcceptanceBody extends LinkTokenBody {
  @Doc('Your name, as shown to other users')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @IsNotBlank()
  @MinLength(1)
  @MaxLength(100)
  name: string;
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) password: string;
}

@BodySchema({
  name: 'PasswordReset',
  example: () => ({ token: LINK_TOKEN.example, newPassword: 'another horse battery' }),
})
export class PasswordResetBody extends LinkTokenBody {
  @Doc(undefined, { minLength: 12, maxLength: 256 }) @IsString() @MaxLength(1_024) newPassword: string;
}

@BodySchema({ name: 'Profile', example: () => ({ name: 'Asha' }) })
export class ProfileBody {
  @Doc('Your name, as shown to other users')
  @IsString()
  @IsStorableText()
  @IsPlainName()
  @IsNotBlank()
  @MinLength(1)
  @MaxLength(100)
  name: string;
}

@BodySchema({ name: 'SecondFactorCode', example: () => ({ code: '492 039' }) })
export class CodeBody {
  @Doc(CODE, CODE_EXAMPLE) @IsString() @MaxLength(64) code: string;
}

@BodySchema({ name: 'PasswordProof', example: () => ({ password: 'correct horse battery' }) })
export class ProofBody {
  @Doc('Your current password') @IsString() @MaxLength(1_024) password: string;
}

@BodySchema({ name: 'SecondFactorProof', example: () => ({ password: 'correct horse battery', code: '492 039' }) })
export class ProofWithCodeBody extends ProofBody {
  @Doc(CODE, CODE_EXAMPLE) @IsString() @MaxLength(64) code: string;
}
