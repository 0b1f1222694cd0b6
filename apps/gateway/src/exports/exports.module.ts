import { Module } from '@nestjs/common';
import { ConsoleExportsController } from './console-exports.controller';

@Module({
  controllers: [ConsoleExportsController],
})
export class ExportsModule {}
