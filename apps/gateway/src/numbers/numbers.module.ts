import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { ConsoleNumbersController } from './console-numbers.controller';
import { NumberConnections } from './number-connections';
import { NumberNoticesController } from './number-notices.controller';

@Module({
  imports: [SecretBoxModule],
  controllers: [ConsoleNumbersController, NumberNoticesController],
  providers: [NumberConnections],
})
export class NumbersModule {}
