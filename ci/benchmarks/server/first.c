// Times a server from its start as a process to its first answer.
// `first <port> <path> <command> [<argument>…]` prints the seconds, and ends the server.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int is_answered(int port, const char *path) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((unsigned short)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char buffer[512];
  int length = snprintf(buffer, sizeof buffer, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path);
  int client = socket(AF_INET, SOCK_STREAM, 0);
  int is_answered = !connect(client, (struct sockaddr *)&address, sizeof address) &&
                    send(client, buffer, (size_t)length, MSG_NOSIGNAL) == length &&
                    recv(client, buffer, sizeof buffer, 0) > 0;
  close(client);
  return is_answered;
}

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int port = atoi(arguments[1]);
  double began = now();
  pid_t server = fork();
  if (server == 0) {
    int nowhere = open("/dev/null", O_RDWR);
    for (int k = 0; k < 3; k++) dup2(nowhere, k);
    execvp(arguments[3], arguments + 3);
    _exit(127);
  }
  while (!is_answered(port, arguments[2])) {
    if (waitpid(server, NULL, WNOHANG) || now() - began > 10) {
      fprintf(stderr, "first: %s does not answer\n", arguments[3]);
      kill(server, SIGTERM);
      return 1;
    }
    usleep(100);
  }
  printf("%.6f\n", now() - began);
  kill(server, SIGTERM);
  waitpid(server, NULL, 0);
}
