import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  CreateNoteCommand,
  type CreateNoteReply,
  createNoteV1,
  DeleteNoteCommand,
  type DeleteNoteReply,
  deleteNoteV1,
  ListNotesCommand,
  type ListNotesReply,
  listNotesV1,
} from '@switchboard/contracts';
import { NotesService } from './notes.service';

@Controller()
export class NotesController {
  constructor(private readonly notes: NotesService) {}

  @CommandHandler(createNoteV1)
  createNote(@Payload() command: CreateNoteCommand): Promise<CreateNoteReply> {
    return this.notes.createNote(command);
  }

  @CommandHandler(deleteNoteV1)
  deleteNote(@Payload() command: DeleteNoteCommand): Promise<DeleteNoteReply> {
    return this.notes.deleteNote(command);
  }

  @CommandHandler(listNotesV1)
  listNotes(@Payload() command: ListNotesCommand): Promise<ListNotesReply> {
    return this.notes.listNotes(command);
  }
}
