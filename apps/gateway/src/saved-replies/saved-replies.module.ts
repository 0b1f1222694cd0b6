import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConsoleSavedRepliesController } from './console-saved-replies.controller';
import { SavedRepliesService } from './saved-replies.service';
import { SavedReply } from './saved-reply.entity';

@Module({
  imports: [TypeOrmModule.forFeature([SavedReply])],
  controllers: [ConsoleSavedRepliesController],
  providers: [SavedRepliesService],
})
export class SavedRepliesModule {}
