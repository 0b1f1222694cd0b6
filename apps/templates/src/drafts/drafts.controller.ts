import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  CreateDraftCommand,
  createDraftV1,
  DeleteDraftCommand,
  deleteDraftV1,
  type DraftReply,
  EditTemplateCommand,
  editTemplateV1,
  GetDraftCommand,
  getDraftV1,
  ListDraftsCommand,
  type ListDraftsReply,
  listDraftsV1,
  SubmitDraftCommand,
  submitDraftV1,
  UpdateDraftCommand,
  updateDraftV1,
} from '@switchboard/contracts';
import { DraftsService } from './drafts.service';

@Controller()
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  @CommandHandler(createDraftV1)
  async create(@Payload() command: CreateDraftCommand): Promise<DraftReply> {
    return { draft: await this.drafts.createDraft(command) };
  }

  @CommandHandler(editTemplateV1)
  async edit(@Payload() command: EditTemplateCommand): Promise<DraftReply> {
    return { draft: await this.drafts.editTemplate(command) };
  }

  @CommandHandler(updateDraftV1)
  async update(@Payload() command: UpdateDraftCommand): Promise<DraftReply> {
    return { draft: await this.drafts.updateDraft(command) };
  }

  @CommandHandler(getDraftV1)
  async get(@Payload() { accountId, draftId }: GetDraftCommand): Promise<DraftReply> {
    return { draft: await this.drafts.getDraft(accountId, draftId) };
  }

  @CommandHandler(listDraftsV1)
  list(@Payload() command: ListDraftsCommand): Promise<ListDraftsReply> {
    return this.drafts.listDrafts(command);
  }

  @CommandHandler(deleteDraftV1)
  async remove(@Payload() { accountId, draftId }: DeleteDraftCommand): Promise<DraftReply> {
    return { draft: await this.drafts.deleteDraft(accountId, draftId) };
  }

  @CommandHandler(submitDraftV1)
  async submit(@Payload() { accountId, draftId }: SubmitDraftCommand): Promise<DraftReply> {
    return { draft: await this.drafts.submitDraft(accountId, draftId) };
  }
}
