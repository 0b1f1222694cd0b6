import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module';
import { ContactLabelsService } from './contact-labels.service';
import { LabelsController } from './labels.controller';
import { LabelsService } from './labels.service';

@Module({
  imports: [ContactsModule],
  controllers: [LabelsController],
  providers: [ContactLabelsService, LabelsService],
})
export class LabelsModule {}
