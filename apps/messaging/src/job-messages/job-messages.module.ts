import { Module } from '@nestjs/common';
import { NumbersModule } from '../numbers/numbers.module';
import { SendsModule } from '../sends/sends.module';
import { SpendModule } from '../spend/spend.module';
import { TemplatesModule } from '../templates/templates.module';
import { JobCheckService } from './job-check.service';
import { JobMedia } from './job-media';
import { JobMessageRepository } from './job-message.repository';
import { JobMessagesController } from './job-messages.controller';
import { JobMessagesService } from './job-messages.service';
import { JobPreparation } from './job-preparation';
import { JobSender } from './job-sender';

@Module({
  imports: [NumbersModule, SendsModule, SpendModule, TemplatesModule],
  controllers: [JobMessagesController],
  providers: [JobCheckService, JobMedia, JobMessageRepository, JobMessagesService, JobPreparation, JobSender],
})
export class JobMessagesModule {}
