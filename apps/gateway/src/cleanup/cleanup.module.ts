import { Module } from '@nestjs/common';
import { Purges } from './purges';

@Module({
  providers: [Purges],
})
export class CleanupModule {}
