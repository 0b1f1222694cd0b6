import { Module } from '@nestjs/common';
import { ContactLabelsController } from './contact-labels.controller';
import { ContactLabelsService } from './contact-labels.service';
import { ContactsController } from './contacts.controller';
import { ContactsService } from './contacts.service';

@Module({
  controllers: [ContactLabelsController, ContactsController],
  providers: [ContactLabelsService, ContactsService],
})
export class ContactsModule {}
