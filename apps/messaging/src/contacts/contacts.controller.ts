import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  ChangeContactCommand,
  changeContactV1,
  GetContactCommand,
  type GetContactReply,
  getContactV1,
  GetPersonKeysCommand,
  type GetPersonKeysReply,
  getPersonKeysV1,
  ListContactsCommand,
  type ListContactsReply,
  listContactsV1,
  UpdateContactCommand,
  type UpdateContactReply,
  updateContactV1,
} from '@switchboard/contracts';
import { ContactsService } from './contacts.service';

@Controller()
export class ContactsController {
  constructor(private readonly contacts: ContactsService) {}

  @CommandHandler(listContactsV1)
  listContacts(@Payload() command: ListContactsCommand): Promise<ListContactsReply> {
    return this.contacts.listContacts(command);
  }

  @CommandHandler(getContactV1)
  getContact(@Payload() command: GetContactCommand): Promise<GetContactReply> {
    return this.contacts.getContact(command);
  }

  @CommandHandler(changeContactV1)
  changeContact(@Payload() command: ChangeContactCommand): Promise<UpdateContactReply> {
    return this.contacts.changeContact(command);
  }

  @CommandHandler(getPersonKeysV1)
  getPersonKeys(@Payload() command: GetPersonKeysCommand): Promise<GetPersonKeysReply> {
    return this.contacts.getPersonKeys(command);
  }

  @CommandHandler(updateContactV1)
  updateContact(@Payload() command: UpdateContactCommand): Promise<UpdateContactReply> {
    return this.contacts.updateContact(command);
  }
}
