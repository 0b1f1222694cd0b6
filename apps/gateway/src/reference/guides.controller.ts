import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../decorators/public.decorator';
import type { GatewayConfig } from '../config';
import { ApiDescription } from './reference.controller';
import type { DescriptionNode } from './description-model';
import { CHANGELOG, GUIDES, guidePage, guidesForModels, guidesPage } from './guides';
import { readPackedClients } from './packed-clients';
import { sendPage } from './site';
import { READERS, type StaticFile, staticFile } from './static-files';

const BECAUSE = 'guides are the same for every client and contain no account data';
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

/** Serves the guides and the changelog as pages and as text, and the overview for language models. */
@ApiExcludeController()
@Controller()
export class GuidesController {
  /** Renders the file of each path. Rendering all of them would slow down every start. */
  private readonly renderers: ReadonlyMap<string, () => StaticFile>;
  /** Files that have been requested, by path. */
  private readonly files = new Map<string, StaticFile>();

  constructor(
    @Inject(CONFIG) { PUBLIC_BASE_URL }: Pick<GatewayConfig, 'PUBLIC_BASE_URL'>,
    description: ApiDescription,
  ) {
    const described = (): DescriptionNode => description.described() as unknown as DescriptionNode;
    const documents = [
      ...GUIDES.map((guide) => [`docs/guides/${guide.name}`, guide] as const),
      ['docs/changelog', CHANGELOG] as const,
    ];
    this.renderers = new Map([
      ['docs/guides', () => staticFile(guidesPage(), HTML)],
      [
        'llms.txt',
        () => staticFile(guidesForModels(PUBLIC_BASE_URL, readPackedClients()), 'text/plain; charset=utf-8'),
      ],
      ...documents.flatMap(([path, document]) => [
        [path, () => staticFile(guidePage(document, described()), HTML)] as const,
        [`${path}.md`, () => staticFile(document.markdown, MARKDOWN)] as const,
      ]),
    ]);
  }

  @Get('docs/guides')
  @Public(BECAUSE, READERS)
  list(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('docs/guides', request, reply);
  }

  @Get('docs/guides/:name')
  @Public(BECAUSE, READERS)
  guide(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send(`docs/guides/${name}`, request, reply);
  }

  @Get('docs/changelog')
  @Public(BECAUSE, READERS)
  changelog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('docs/changelog', request, reply);
  }

  @Get('docs/changelog.md')
  @Public(BECAUSE, READERS)
  changelogText(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('docs/changelog.md', request, reply);
  }

  @Get('llms.txt')
  @Public(BECAUSE, READERS)
  forModels(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.send('llms.txt', request, reply);
  }

  private send(path: string, request: FastifyRequest, reply: FastifyReply): void {
    const file = this.files.get(path) ?? this.renderers.get(path)?.();
    if (file) this.files.set(path, file);
    sendPage(file, request, reply);
  }
}
