import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleContactsController } from './console-contacts.controller';
import { ContactChanges } from './contact-changes';
import { ContactsController } from './contacts.controller';

@Module({
  imports: [AuditLogModule],
  controllers: [ConsoleContactsController, ContactsController],
  providers: [ContactChanges],
})
export class ContactsModule {}
