import { Module } from '@nestjs/common';
import { SecretBox } from './secret-box';

/** For a service whose settings have `encryptionKeyFields`. */
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class SecretBoxModule {}
