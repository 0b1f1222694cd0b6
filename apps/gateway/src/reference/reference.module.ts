import { Module } from '@nestjs/common';
import { ConsoleApiGuideController } from './console-api-guide.controller';
import { GuidesController } from './guides.controller';
import { ApiDescription, ReferenceController } from './reference.controller';
import { SecurityTxtController } from './security-txt.controller';

@Module({
  controllers: [ConsoleApiGuideController, GuidesController, ReferenceController, SecurityTxtController],
  providers: [ApiDescription],
})
export class ReferenceModule {}
