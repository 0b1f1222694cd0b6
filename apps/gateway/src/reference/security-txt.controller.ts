import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { notFound } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../decorators/public.decorator';
import type { GatewayConfig } from '../config';
import { securityTxt } from './security-txt';
import { READERS, sendStatic, staticFile } from './static-files';

/** Serves the contact for reporting vulnerabilities of this installation (RFC 9116). */
@ApiExcludeController()
@Controller()
export class SecurityTxtController {
  constructor(@Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'SECURITY_CONTACT' | 'PUBLIC_BASE_URL'>) {}

  /** @throws AppError NOT_FOUND if the operator has configured no contact */
  @Get('.well-known/security.txt')
  @Public('researchers have no key; the file holds a contact that the operator publishes', READERS)
  show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const text = securityTxt(this.config, new Date());
    if (text === undefined) throw notFound('file');
    sendStatic(staticFile(text, 'text/plain; charset=utf-8'), request, reply);
  }
}
