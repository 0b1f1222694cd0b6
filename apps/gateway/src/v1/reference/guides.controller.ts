import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { notFound } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicRoute } from '../../access/public-route';
import type { GatewayConfig } from '../../config';
import { GUIDES, guidePage, guidesForModels, guidesPage } from './guides';
import { readPackedClients } from './packed-clients';
import { READERS, sendStatic, type StaticFile, staticFile } from './static-files';

const BECAUSE = 'guides are the same for everybody and hold no data';
/** A guide has no script; its styles stand in the page. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** The guides of docs/, as pages and as their text, and the list of them for language models. */
@ApiExcludeController()
@Controller()
export class GuidesController {
  /** By their address. */
  private readonly files: ReadonlyMap<string, StaticFile>;

  constructor(@Inject(CONFIG) { PUBLIC_BASE_URL }: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>) {
    this.files = new Map([
      ['', staticFile(guidesPage(), HTML)],
      ['llms.txt', staticFile(guidesForModels(PUBLIC_BASE_URL, readPackedClients()), 'text/plain; charset=utf-8')],
      ...GUIDES.flatMap((guide) => [
        [guide.name, staticFile(guidePage(guide), HTML)] as const,
        [`${guide.name}.md`, staticFile(guide.markdown, MARKDOWN)] as const,
      ]),
    ]);
  }

  @Get('docs/guides')
  @PublicRoute(BECAUSE, READERS)
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('', request, reply);
  }

  @Get('docs/guides/:name')
  @PublicRoute(BECAUSE, READERS)
  guide(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send(name, request, reply);
  }

  @Get('llms.txt')
  @PublicRoute(BECAUSE, READERS)
  forModels(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('llms.txt', request, reply);
  }

  private send(name: string, request: FastifyRequest, reply: FastifyReply): void {
    const file = this.files.get(name);
    if (!file) throw notFound('page');
    reply.header('content-security-policy', PAGE_POLICY);
    sendStatic(file, request, reply);
  }
}
