import { Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './error.filter';
import { RequestValidationPipe } from './request-validation.pipe';
import { RouteTable } from './route-table';

/** Provides the global filter, the global pipe and the route table. */
@Module({
  providers: [
    RouteTable,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_PIPE, useClass: RequestValidationPipe },
  ],
  exports: [RouteTable],
})
export class HttpModule {}
