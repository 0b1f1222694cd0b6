import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  CheckNumberCommand,
  type CheckNumberReply,
  checkNumberV1,
  LeaveBusinessCommand,
  type LeaveBusinessReply,
  leaveBusinessV1,
  PrepareNumberCommand,
  type PrepareNumberReply,
  prepareNumberV1,
} from '@switchboard/contracts';
import { NumberRemovals } from '../number-removals';
import { ConnectionChecks } from './connection-checks';
import { NumberSetup } from './number-setup';

@Controller()
export class ConnectionController {
  constructor(
    private readonly checks: ConnectionChecks,
    private readonly setup: NumberSetup,
    private readonly removals: NumberRemovals,
  ) {}

  @CommandHandler(checkNumberV1)
  checkNumber(@Payload() command: CheckNumberCommand): Promise<CheckNumberReply> {
    return this.checks.check(command);
  }

  @CommandHandler(prepareNumberV1)
  prepareNumber(@Payload() command: PrepareNumberCommand): Promise<PrepareNumberReply> {
    return this.setup.prepare(command);
  }

  @CommandHandler(leaveBusinessV1)
  leaveBusiness(@Payload() command: LeaveBusinessCommand): Promise<LeaveBusinessReply> {
    return this.removals.leaveBusiness(command);
  }
}
