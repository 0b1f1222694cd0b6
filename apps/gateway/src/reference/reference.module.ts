import { Module } from '@nestjs/common';
import { ApiGuideController } from './console-api-guide.controller';
import { GuidesController } from './guides.controller';
import { ApiDescription, ReferenceController } from './reference.controller';
import { SecurityTxtController } from './security-txt.controller';

@Module({
  controllers: [ApiGuideController, GuidesController, ReferenceController, SecurityTxtController],
  providers: [ApiDescription],
})
export class ReferenceModule {}
