import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleContactsController } from './console-contacts.controller';
import { ContactChanges } from './contact-changes';
import { ContactsController } from './contacts.controller';
import { PersonEraser } from './erase-person';

@Module({
  imports: [AuditLogModule, ServiceClientsModule],
  controllers: [ConsoleContactsController, ContactsController],
  providers: [ContactChanges, PersonEraser],
})
export class ContactsModule {}
