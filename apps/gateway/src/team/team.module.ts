import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module';
import { UsersModule } from '../users/users.module';
import { LinksController } from './console-links.controller';
import { ProfileController } from './console-profile.controller';
import { TeamController } from './console-team.controller';
import { InvitationsService } from './invitations.service';
import { TeamService } from './team.service';

@Module({
  imports: [SessionsModule, UsersModule],
  controllers: [LinksController, ProfileController, TeamController],
  providers: [InvitationsService, TeamService],
})
export class TeamModule {}
