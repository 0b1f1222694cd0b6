import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './error.filter';
import { RequestValidationPipe } from './request-validation.pipe';
import { RouteTable } from './route-table';

/** The global pipe, and what `server.ts` gives to Fastify. */
@Module({
  providers: [ErrorFilter, RouteTable, { provide: APP_PIPE, useClass: RequestValidationPipe }],
  exports: [RouteTable],
})
export class HttpModule {}
