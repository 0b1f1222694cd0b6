import { Module } from '@nestjs/common';
import { SecretBox } from './secret-box';

/** Provides the SecretBox of a service whose settings include `encryptionKeyFields`. */
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class SecretBoxModule {}
