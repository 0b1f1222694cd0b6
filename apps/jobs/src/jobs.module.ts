import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { databaseModule } from '@switchboard/database';
import type { JobsConfig } from './config';
import { JobEntity } from './jobs/job.entity';
import { JobsController } from './jobs/jobs.controller';
import { JobsService } from './jobs/jobs.service';

@Module({})
export class JobsModule {
  static with({ config }: { config: JobsConfig }): DynamicModule {
    return {
      module: JobsModule,
      imports: [databaseModule({ schema: 'jobs', url: config.DATABASE_URL, entities: [JobEntity] }), TypeOrmModule.forFeature([JobEntity])],
      controllers: [JobsController],
      providers: [JobsService],
    };
  }
}
