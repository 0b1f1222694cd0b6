import { Module } from '@nestjs/common';
import { ExportsController } from './console-exports.controller';

@Module({
  controllers: [ExportsController],
})
export class ExportsModule {}
