import { Module } from '@nestjs/common';
import { BlobsModule } from '@switchboard/blobs';
import { FormStore } from './form-store';

@Module({ imports: [BlobsModule], providers: [FormStore], exports: [FormStore] })
export class FormStoreModule {}
